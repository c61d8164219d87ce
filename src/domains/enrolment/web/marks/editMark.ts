import { goTo } from '#kernel/web/router/navigate.ts';

/** The form of a mark that is there. */
export const editMark = (id: string) => goTo('/updateSpecialUser', { id });
