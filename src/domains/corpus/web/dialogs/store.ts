import { create } from 'zustand';
import type { SceneRow } from '../../contract/sceneCalls.ts';
import type { AnyScene } from '../data.ts';

/** The dialog that is open over the corpus; menu and page open the same ones. */
export type CorpusDialog =
  | { kind: 'addDisease' }
  | { kind: 'dictionary' }
  | { kind: 'addScene'; diseaseId: string; main: SceneRow | null }
  | { kind: 'more'; scene: AnyScene }
  | { kind: 'name'; scene: AnyScene; copy: boolean }
  | { kind: 'launch'; scene: AnyScene };

export const useCorpusDialog = create<{ open: CorpusDialog | null }>(() => ({ open: null }));

export const openDialog = (open: CorpusDialog): void => useCorpusDialog.setState({ open });
export const closeDialog = (): void => useCorpusDialog.setState({ open: null });
