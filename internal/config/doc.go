// Package config is every setting of Plait: one typed struct, each field with its name, default, rules and sentence.
//
// A setting has one name, dotted and in lower case (http.address). The same name is written as a flag (--http-address), an
// environment variable (PLAIT_HTTP_ADDRESS) and a path in the settings file (http: address:). A secret has no flag, because every
// user of a machine can read the flags of its processes. A few settings also obey a variable that other software uses
// (DATABASE_URL, OPENAI_API_KEY).
//
// The first source that sets a value wins: flag, then environment, then file, then default. An unknown name, or a value that breaks
// its rules, stops the start with an error that names it.
//
// The struct tags are the one place where a setting is described; flags, the printed table and the checks come from them.
package config
