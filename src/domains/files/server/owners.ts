import type { Db, Staff } from '#kernel/server/context.ts';

export interface Reader {
  db: Db;
  staff: Staff;
}

/** Who may read the files of a kind of record; declared by the domain that owns the records. */
export interface OwnerRules {
  canRead(reader: Reader, ownerId: string): Promise<boolean>;
  /** The unmarked original of a sensitive file. */
  canReadOriginal(reader: Reader, ownerId: string): Promise<boolean>;
}

const owners = new Map<string, OwnerRules>();

/** Registers the rules of an owner type; a file linked to an unregistered one is read by nobody through that link. */
export function registerOwner(ownerType: string, rules: OwnerRules): void {
  owners.set(ownerType, rules);
}

export const ownerRules = (ownerType: string): OwnerRules | undefined => owners.get(ownerType);
