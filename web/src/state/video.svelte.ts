// What a person chooses for a video: to enlarge one, or to make one of a picture.
import type { Schemas } from "../api/client";
import { remember, remembered } from "./remember";
import { session } from "./session.svelte";

type Request = Schemas["VideoRequest"];
type Type = Request["type"];
type Resolution = NonNullable<NonNullable<Request["parameters"]>["resolution"]>;
type Scale = NonNullable<NonNullable<Request["parameters"]>["scale"]>;
export type Model = NonNullable<Schemas["Capabilities"]["kinds"][number]["models"]>[number];

class VideoChoice {
  prompt = $state("");
  #models = $state<Partial<Record<Type, string>>>(remembered("video.models", {}));
  #resolution = $state<string>(remembered("video.resolution", ""));
  #duration = $state<number>(0);
  #scale = $state<number>(remembered("video.scale", 0));

  /** The models of the server that make something of a type. */
  models(type: Type): Model[] {
    return session.capabilities?.kinds.find((k) => k.name === "video")?.models?.filter((m) => m.types.includes(type)) ?? [];
  }

  /** The chosen model, or the first one. */
  model(type: Type): Model | undefined {
    const models = this.models(type);
    return models.find((m) => m.name === this.#models[type]) ?? models[0];
  }

  choose(type: Type, name: string): void {
    this.#models[type] = name;
    remember("video.models", this.#models);
  }

  // What the model does not have is replaced by what it has first.
  resolution(m: Model): string | undefined {
    return m.resolutions?.includes(this.#resolution) ? this.#resolution : m.resolutions?.[0];
  }

  duration(m: Model): number | undefined {
    return m.durations?.includes(this.#duration) ? this.#duration : m.durations?.[0];
  }

  scale(m: Model): number | undefined {
    return m.scales?.includes(this.#scale) ? this.#scale : m.scales?.[0];
  }

  setResolution(value: string): void {
    this.#resolution = value;
    remember("video.resolution", value);
  }

  setDuration(value: number): void {
    this.#duration = value;
  }

  setScale(value: number): void {
    this.#scale = value;
    remember("video.scale", value);
  }

  /** The request without its files. */
  estimate(type: Type): Omit<Request, "input"> {
    const m = this.model(type);
    if (!m) return { model: "", type };
    if (type === "video_upscale") return { model: m.name, type, parameters: { scale: this.scale(m) as Scale } };
    return { model: m.name, type, parameters: { resolution: this.resolution(m) as Resolution, duration: this.duration(m) } };
  }

  /** The request to enlarge a video that is uploaded. */
  enlarge(blob: string): Request {
    return { ...this.estimate("video_upscale"), input: { video: blob } };
  }

  /** The request for a video of a picture. */
  async film(picture: Blob): Promise<Request> {
    return { ...this.estimate("image_to_video"), input: { prompt: this.prompt.trim(), image: await dataOf(picture) } };
  }
}

function dataOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error as Error);
    reader.readAsDataURL(file);
  });
}

export const video = new VideoChoice();
