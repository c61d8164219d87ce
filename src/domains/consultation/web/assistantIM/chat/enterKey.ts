/** Preference: whether Enter sends. */
export const ENTER_KEY = 'table:assistantIM.enter';
