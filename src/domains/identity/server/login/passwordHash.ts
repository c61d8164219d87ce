import { hash, verify, type Options } from '@node-rs/argon2';

/** argon2id (its number in the package's const enum), 19 MiB, 2 passes, 1 lane. */
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, options);

let nobody: Promise<string> | null = null;

/** Checks a password; a missing hash costs the same time, so that an unknown name is not told by the clock. */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password');
  const right = await verify(stored ?? (await nobody), password);
  return stored !== null && right;
}
