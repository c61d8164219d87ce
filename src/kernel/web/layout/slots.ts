import { slot } from '../slots.tsx';

/** Places of the main layout that identity and corpus fill. */
/** Disease and scene tree at the left of corpus pages. */
export const leftCorpusMenu = slot('leftCorpusMenu');
/** Unread count and drawer of notices. */
export const bell = slot('bell');
/** 个人中心, opened by a click on the user's name. */
export const personalDrawer = slot<{ open: boolean; onClose(): void }>('personalDrawer');
