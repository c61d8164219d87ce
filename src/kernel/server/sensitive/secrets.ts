/** Keys derived from the master key, one per use, and what is done with them. */
export interface Secrets {
  /** AES-256-GCM with a key id in front; different each time. */
  encrypt(plain: string): string;
  /** @throws when the text was changed or made with another master key. */
  decrypt(cipher: string): string;
  /** Keyed hash for exact search; equal input gives equal output. `purpose` separates columns. */
  blindIndex(purpose: string, plain: string): string;
  /** Hex HMAC-SHA256 for presigned addresses, anchors and links. */
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, signature: string): boolean;
  /** Proves to a later start that it uses the same master key. */
  readonly checkValue: string;
}
