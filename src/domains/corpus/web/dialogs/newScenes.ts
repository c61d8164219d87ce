import { corpusErrors } from '../../contract/errors.ts';

export interface NewSceneRow {
  name: string;
  groupChat: boolean;
  singleChat: boolean;
}

export const emptySceneRow: NewSceneRow = { name: '', groupChat: false, singleChat: false };
export const MOST_NEW = 20;
export const NAME_MAX = 32;

/**
 * The first fault of each row, tag before name, as the server judges them.
 * @param taken names of the scenes beside the new ones
 */
export function faultsOfNewScenes(rows: readonly NewSceneRow[], taken: readonly string[]): (string | null)[] {
  const seen = new Set(taken.map((name) => name.toLowerCase()));
  return rows.map(({ name, groupChat, singleChat }) => {
    const trimmed = name.trim();
    if (!groupChat && !singleChat) return corpusErrors.TAG_MISSING.text;
    if (trimmed === '') return corpusErrors.NAME_MISSING.text;
    if (trimmed.length > NAME_MAX) return corpusErrors.NAME_TOO_LONG.text;
    if (seen.has(trimmed.toLowerCase())) return corpusErrors.NAME_TAKEN.text;
    seen.add(trimmed.toLowerCase());
    return null;
  });
}

/** The fault of a new name for a scene. */
export const faultOfName = (name: string, taken: readonly string[]): string | null =>
  faultsOfNewScenes([{ name, groupChat: true, singleChat: true }], taken)[0] ?? null;

/** `{name}-副本`, cut to 32 characters so that the suffix stays. */
export const copyNameOf = (name: string): string => `${name.slice(0, NAME_MAX - '-副本'.length)}-副本`;
