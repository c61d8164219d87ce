import { slot } from '../slots.tsx';

/** Places of the main layout that domains fill. */
/** Disease and scene tree at the left of corpus pages. */
export const leftCorpusMenu = slot('leftCorpusMenu');
/** Unread count and drawer of notices. */
export const bell = slot('bell');
/** Over every page: a drawer that an address parameter opens, a finder with a shortcut of its own. */
export const shellLayer = slot('shellLayer');
/** 个人中心, opened by a click on the user's name. */
export const personalDrawer = slot<{ open: boolean; onClose(): void }>('personalDrawer');
/** In the header, before the search: what is to be done first; it goes when that is done. */
export const firstWork = slot('firstWork');
/** 随访 of a patient, beside a conversation and in the record drawer; more than one domain may fill it. */
export const followTimeline = slot<{ patientId: string }>('followTimeline');
