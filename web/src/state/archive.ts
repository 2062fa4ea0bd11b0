// The pages of a CBZ or ZIP, read in the browser without unpacking the whole of it.
import type { Entry, FileEntry } from "@zip.js/zip.js";
import { baseName, isImage, isLeftover } from "./files";

export interface ArchivePage {
  /** Path in the archive. */
  path: string;
  size: number;
  read(): Promise<Blob>;
}

const mediaTypes: Record<string, string> = { jpg: "image/jpeg", jpeg: "image/jpeg", png: "image/png", webp: "image/webp", gif: "image/gif", bmp: "image/bmp" };

/** Lists the pages of an archive. It throws when the file is none. */
export async function pagesOf(file: Blob): Promise<ArchivePage[]> {
  const zip = await import("@zip.js/zip.js");
  // The policy of the page allows neither workers made of text nor WebAssembly; browsers inflate by themselves.
  zip.configure({ useWebWorkers: false, useCompressionStream: true });
  const entries = await new zip.ZipReader(new zip.BlobReader(file)).getEntries();
  return entries.filter(isPage).map((e) => ({
    path: e.filename,
    size: e.uncompressedSize,
    read: () => e.getData(new zip.BlobWriter(mediaTypes[extension(e.filename)])),
  }));
}

const extension = (path: string): string => path.slice(path.lastIndexOf(".") + 1).toLowerCase();

const isPage = (e: Entry): e is FileEntry => !e.directory && isImage(e.filename) && !isLeftover(e.filename) && baseName(e.filename) !== "";
