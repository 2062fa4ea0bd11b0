// Package config is every setting of Plait: one typed struct, each field with its name, default, unit and sentence.
//
// A setting has one name, dotted and lower case (http.address). The same name, in other clothes, is a flag
// (--http-address), an environment variable (PLAIT_HTTP_ADDRESS) and a path in the settings file (http: address:). A secret
// has no flag, because every user of a machine may read the flags of its processes.
// A few settings also obey a variable that other software has made usual (DATABASE_URL, OPENAI_API_KEY).
//
// The first source that names a setting wins: flag, then environment, then file, then default. An unknown name in any of
// them, or a value that cannot be, is an error that names it: a mistyped limit must stop the start, not be ignored.
//
// The struct tags are the one place where a setting is described; flags, the printed table and the checks come from them.
package config
