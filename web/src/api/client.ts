// Requests to the API of this origin. The session cookie goes along by itself.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];
export type Task = Schemas["Task"];
export type Item = Schemas["Item"];
export type TaskEvent = Schemas["TaskEvent"];
export type Capabilities = Schemas["Capabilities"];
export type Session = Schemas["Session"];
export type Text = Schemas["Text"];
export type PageDetails = Schemas["ComicPageDetails"];

/** An answer other than a success, or none: then the code is OFFLINE and the status 0. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfter = 0,
  ) {
    super(message);
  }
}

export function errorOf(status: number, body: unknown, retryAfter: string | null = null): ApiError {
  const e = (body ?? {}) as { code?: string; message?: string };
  return new ApiError(status, e.code ?? "INTERNAL", e.message ?? `HTTP ${status}`, Number(retryAfter ?? 0));
}

/** Whether sending a request again does not help. */
export const isLasting = (e: ApiError): boolean => e.status >= 400 && e.status < 500 && e.status !== 401 && e.status !== 429;

export const offline = (): ApiError => new ApiError(0, "OFFLINE", "");

const listeners = new Set<(e: ApiError) => void>();

/** Calls f with each failure of a request, so that one place notices an ended session or a lost connection. */
export function onFailure(f: (e: ApiError) => void): void {
  listeners.add(f);
}

export function failed(e: ApiError): ApiError {
  for (const f of listeners) f(e);
  return e;
}

export const client = createClient<paths>({ baseUrl: "/" });

/** Returns the data of an answer, or throws an ApiError. */
export async function take<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  let answer;
  try {
    answer = await request;
  } catch {
    throw failed(offline());
  }
  const { data, error, response } = answer;
  if (!response.ok) throw failed(errorOf(response.status, error, response.headers.get("Retry-After")));
  return data as T;
}

/** The address of a version of a picture. A browser shows an address again without asking, so each version needs one of its own. */
export function versionOf(path: string, version: string): string {
  return version ? `${path}${path.includes("?") ? "&" : "?"}version=${encodeURIComponent(version)}` : path;
}

/** Uploads a file and returns the name of its blob. Progress is from 0 to 1. A server that is busy is asked again. */
export async function upload(body: Blob, progress: (share: number) => void, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      return await send(body, progress, signal);
    } catch (e) {
      if (!(e instanceof ApiError) || (e.status !== 429 && e.status !== 503)) throw e;
      await new Promise((resolve) => setTimeout(resolve, 1000 * Math.max(1, e.retryAfter)));
      signal.throwIfAborted();
    }
  }
}

/** Larger files are uploaded in parts of so many bytes, so that one that is cut off goes on where it was. */
const partSize = 8 << 20;

/** Uploads a file, in parts if it is large, and returns the name of its blob. The names of parts are added to a list, which is kept for the next time. */
export async function uploadFile(file: Blob, parts: string[], kept: () => void, progress: (share: number) => void, signal: AbortSignal): Promise<string> {
  if (file.size <= partSize) return upload(file, progress, signal);
  for (let from = parts.length * partSize; from < file.size; from += partSize) {
    const part = file.slice(from, from + partSize);
    parts.push(await upload(part, (share) => progress((from + share * part.size) / file.size), signal));
    kept();
  }
  try {
    return (await take(client.POST("/v1/blobs", { body: { parts } }))).blob;
  } catch (e) {
    // A part may have expired since: then all of them are sent again.
    if (e instanceof ApiError && e.status === 400) parts.length = 0;
    throw e;
  }
}

function send(body: Blob, progress: (share: number) => void, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    // fetch does not report the progress of a body.
    const request = new XMLHttpRequest();
    request.open("POST", "/v1/blobs");
    request.responseType = "json";
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (e) => e.lengthComputable && progress(e.loaded / e.total);
    request.onload = () =>
      request.status === 201
        ? resolve((request.response as Schemas["Blob"]).blob)
        : reject(failed(errorOf(request.status, request.response, request.getResponseHeader("Retry-After"))));
    request.onerror = () => reject(failed(offline()));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}
