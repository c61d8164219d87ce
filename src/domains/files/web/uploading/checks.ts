import type { AnswerOf } from '#kernel/contract/call.ts';
import { fillText } from '#kernel/contract/errors.ts';
import type { queryFilePurposes } from '../../contract/calls/objects.ts';
import { fileErrors } from '../../contract/errors.ts';
import { extensionOf, showSize } from '../../contract/purposes.ts';

export type PurposeFacts = AnswerOf<typeof queryFilePurposes>[number];

/** The sentence with which the server would refuse the file; null = it may be sent. */
export function refusalOf(file: Pick<File, 'name' | 'size'>, purpose: PurposeFacts): string | null {
  const extension = extensionOf(file.name);
  if (extension === 'xls' && purpose.types.includes('xlsx')) return '不支持旧版.xls文件，请另存为.xlsx后上传';
  if (!purpose.types.includes(extension)) {
    return fillText(fileErrors.TYPE_REFUSED.text, {
      ext: extension === '' ? '无扩展名' : `.${extension}`,
      types: purpose.types.join('、'),
    });
  }
  if (file.size === 0) return '文件为空';
  return file.size > purpose.maxSize ? fillText(fileErrors.TOO_LARGE.text, { max: showSize(purpose.maxSize) }) : null;
}

/** `accept` of the file chooser. */
export const acceptOf = (purpose: PurposeFacts) =>
  purpose.types.flatMap((type) => (type === 'jpg' ? ['.jpg', '.jpeg'] : [`.${type}`])).join(',');
