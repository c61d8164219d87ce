/** Where one was in each conversation, as long as the page is open. */
export const places = new Map<string, { key: string; top: number }>();
