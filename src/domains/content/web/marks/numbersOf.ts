/** Numbers as people paste them: by lines, blanks, commas of both scripts; each once. */
export const numbersOf = (text: string): string[] => [...new Set(text.split(/[\s,，、;；]+/).filter((part) => part !== ''))];
