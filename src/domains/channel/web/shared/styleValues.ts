import type { UploadedFile } from '#kernel/web/files/places.ts';
import { plainStyle, type CodeStyle } from '../../contract/calls/codeFields.ts';

/** Style as the form holds it: the logo is a file. */
export type StyleValues = Omit<CodeStyle, 'logoFileId'> & { logo?: readonly UploadedFile[] };

export const styleValues = (style: CodeStyle = plainStyle): StyleValues => {
  const { logoFileId, ...rest } = style;
  return {
    ...rest,
    ...(logoFileId && { logo: [{ fileId: logoFileId, fileName: 'Logo', detectedType: 'png', size: null, pageCount: null }] }),
  };
};
export const styleOf = ({ logo, ...rest }: StyleValues): CodeStyle => ({ ...plainStyle, ...rest, logoFileId: logo?.[0]?.fileId ?? null });
