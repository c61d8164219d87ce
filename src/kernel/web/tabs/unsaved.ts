import { ask } from '../feedback/dialogs.tsx';
import { tabs } from './store.ts';

/** Asks whether edits may be thrown away. */
export const confirmLeaving = (): Promise<boolean> =>
  ask({ content: '有未保存的修改，离开后将丢失，是否继续?', ok: '放弃修改', danger: true });

/** As `confirmLeaving`, when any open page holds edits; true when none does. */
export const mayLeaveAll = async (): Promise<boolean> => tabs.dirty().length === 0 || confirmLeaving();
