// Package config loads and checks the settings of Plait. [Config] is a typed struct whose tags describe each setting: its name, default,
// rules and help text.
//
// A setting has one name, dotted and in lower case (http.address). The same name is written as a flag (--http-address), an
// environment variable (PLAIT_HTTP_ADDRESS) and a path in the settings file (http: address:). A secret has no flag, because every
// user of a machine can read the flags of its processes. A few settings can also be set by a variable that other software uses
// (DATABASE_URL, OPENAI_API_KEY).
//
// The first source that sets a value wins: flag, then environment, then file, then default. An unknown name, or a value that breaks
// its rules, is an error that names the setting.
//
// Flags, the printed table and the checks are all derived from the struct tags.
package config
