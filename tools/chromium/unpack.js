// Unpacks the browser of @sparticuz/chromium, and the libraries that it needs where the system has none, into the folder of the first
// argument. The package is made for AWS Lambda; its own unpacking detects that and no other place.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pipeline } = require("node:stream/promises");
const zlib = require("node:zlib");
const tar = require("tar-fs");

const from = path.join(__dirname, "node_modules", "@sparticuz", "chromium", "bin");
const to = path.resolve(process.argv[2]);

async function unpack(name, out) {
  await pipeline(fs.createReadStream(path.join(from, name)), zlib.createBrotliDecompress(), out);
}

async function main() {
  fs.mkdirSync(to, { recursive: true });
  await Promise.all([
    unpack("chromium.br", fs.createWriteStream(path.join(to, "chromium"), { mode: 0o755 })),
    unpack("al2023.tar.br", tar.extract(path.join(to, "libraries"))),
    unpack("swiftshader.tar.br", tar.extract(to)),
  ]);
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
