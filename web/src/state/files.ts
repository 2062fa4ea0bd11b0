// Files that a person drops or chooses: which are pages, in which order they come, and which are tasks by themselves.

export const accepted = ".cbz,.zip,.pdf,.mp4,.mov,.mkv,.webm,.avi,.ts,.nut,image/png,image/jpeg,image/webp,image/gif,image/bmp,.png,.jpg,.jpeg,.webp,.gif,.bmp";

export const isImage = (name: string): boolean => /\.(png|jpe?g|webp|gif|bmp)$/i.test(name);
export const isArchive = (name: string): boolean => /\.(cbz|zip)$/i.test(name);
export const isPDF = (name: string): boolean => /\.pdf$/i.test(name);

export const isVideo = (name: string): boolean => /\.(mp4|m4v|mov|mkv|webm|avi|ts|m2ts|nut)$/i.test(name);

/** Leftovers of operating systems in an archive or a folder. */
export const isLeftover = (path: string): boolean => /(^|\/)(\.|__MACOSX\/|Thumbs\.db$)/i.test(path);

const natural = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts by the numbers in the names, as the server does. */
export const byName = (a: { name: string }, b: { name: string }): number => natural.compare(a.name, b.name);

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The files of a drop; folders are walked. Names contain the folder below the one that was dropped. */
export async function filesOf(data: DataTransfer): Promise<File[]> {
  // The entries have to be taken before the first await: then the list is emptied.
  const entries = [...data.items].map((i) => i.webkitGetAsEntry()).filter((e) => e !== null);
  if (entries.length === 0) return [...data.files];
  const files: File[] = [];
  for (const e of entries) await walk(e, files);
  return files;
}

async function walk(entry: FileSystemEntry, into: File[]): Promise<void> {
  if (entry.isFile) {
    into.push(await new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader returns at most 100 entries at a time.
    const list = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (list.length === 0) return;
    for (const e of list) await walk(e, into);
  }
}
