// Package config is every setting of Plait: one typed struct, each field with its name, default, unit and sentence.
//
// A setting has one name, dotted and lower case (database.url). The same name, in other clothes, is a flag
// (--database-url), an environment variable (PLAIT_DATABASE_URL) and a path in the settings file (database: url:).
// A few settings also obey a variable that other software has made usual (DATABASE_URL, OPENAI_API_KEY).
//
// The first source that names a setting wins: flag, then environment, then file, then default. An unknown name in any of
// them, or a value that cannot be, is an error that names it: a mistyped limit must stop the start, not be ignored.
//
// The struct tags are the one place where a setting is described; flags, the printed table and the checks come from them.
package config
