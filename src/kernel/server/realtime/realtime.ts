/** Push to open pages. It keeps no state: a page that was away asks again. */
export interface Realtime {
  toUser(userId: string, topic: string, payload: unknown): void;
  toSession(sessionId: string, topic: string, payload: unknown): void;
  toAll(topic: string, payload: unknown): void;
  /** Ends the connections of a session, after telling it why. */
  endSession(sessionId: string, reason: { code: string; message: string }): void;
}
