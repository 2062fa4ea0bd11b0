// Who is signed in, what the installation can do, and whether it can be reached.
import { type ApiError, type Capabilities, client, onFailure, type Session, take } from "../api/client";

class SessionState {
  /** undefined until it is known, null when nobody is signed in. */
  current = $state.raw<Session | null>();
  capabilities = $state.raw<Capabilities>();
  /** Whether the last request, or the stream of events, did not reach the server. */
  offline = $state(false);
  /** A session that ended while the page was open. */
  ended = $state(false);

  constructor() {
    onFailure((e: ApiError) => {
      if (e.status === 401 && this.current) {
        this.current = null;
        this.ended = true;
      }
      if (e.code === "OFFLINE") this.offline = true;
    });
  }

  get mayWrite(): boolean {
    return this.current?.scope === "write" || this.current?.scope === "admin";
  }

  /** Finds out who is signed in. It throws when the server cannot be reached. */
  async load(): Promise<void> {
    const found = (await take(client.GET("/v1/session"))) ?? null;
    this.offline = false;
    this.current = found;
    if (found) await this.loadCapabilities();
  }

  /** Reads what the installation can do: a model server may have been started meanwhile. */
  async loadCapabilities(): Promise<void> {
    this.capabilities = await take(client.GET("/v1/capabilities"));
  }

  async signIn(key: string): Promise<void> {
    await take(client.POST("/v1/session", { body: { key } }));
    this.ended = false;
    await this.load();
  }

  async signOut(): Promise<void> {
    await take(client.DELETE("/v1/session"));
    this.current = null;
  }
}

export const session = new SessionState();
