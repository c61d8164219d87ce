import * as z from 'zod/mini';

/** How a figure is read: a number, seconds, bytes, a share of one, yes or no, or a moment in seconds since 1970. */
export const figureUnit = z.enum(['COUNT', 'SECONDS', 'BYTES', 'SHARE', 'YES_NO', 'MOMENT']);
export type FigureUnit = z.infer<typeof figureUnit>;

/** What a figure says against its limits. */
export const figureLevel = z.enum(['NORMAL', 'AMBER', 'RED']);
export type FigureLevel = z.infer<typeof figureLevel>;
