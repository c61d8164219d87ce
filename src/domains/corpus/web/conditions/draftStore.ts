import { useCallback, useSyncExternalStore } from 'react';
import { sceneConditionDraftKey } from '#kernel/web/session/storage.ts';
import type { ExpType } from '../../contract/dictionaries.ts';
import { parseDrafts, type Draft, type Drafts } from './draft.ts';

const PREFIX = sceneConditionDraftKey('');
const listeners = new Set<() => void>();
// parsed once per text, so that React sees equal objects for equal drafts
const parsed = new Map<string, { text: string | null; drafts: Drafts }>();

function read(scenePackageId: string): Drafts {
  const text = localStorage.getItem(sceneConditionDraftKey(scenePackageId));
  const known = parsed.get(scenePackageId);
  if (known && known.text === text) return known.drafts;
  const drafts = parseDrafts(text);
  parsed.set(scenePackageId, { text, drafts });
  return drafts;
}

const notifyListeners = () => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  const fromOtherWindow = (event: StorageEvent) => {
    if (event.key === null || event.key.startsWith(PREFIX)) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', fromOtherWindow);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', fromOtherWindow);
  };
}

/** Keeps or, with null, forgets the unsaved rows of one kind; they outlive a reload and end with the logout. */
export function keepDraft(scenePackageId: string, expType: ExpType, draft: Draft | null): void {
  const { [expType]: _, ...rest } = read(scenePackageId);
  const next: Drafts = draft ? { ...rest, [expType]: draft } : rest;
  const key = sceneConditionDraftKey(scenePackageId);
  if (Object.keys(next).length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(next));
  notifyListeners();
}

/** Forgets all unsaved rows of these scenes (they were deleted). */
export function dropDrafts(scenePackageIds: readonly string[]): void {
  for (const id of scenePackageIds) localStorage.removeItem(sceneConditionDraftKey(id));
  notifyListeners();
}

/** The unsaved rows of a scene. */
export const useDrafts = (scenePackageId: string): Drafts =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => read(scenePackageId), [scenePackageId]),
  );
