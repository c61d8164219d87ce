import * as z from 'zod/mini';
import { id, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { miniApps } from '#kernel/contract/linkPlaces.ts';

const appIds = miniApps.map(({ appId }) => appId) as [string, ...string[]];
const choose = (label: string) => field(label, z.pipe(z.union([z.string(), z.number()], `请选择${label}`), id));

/** What each type of material holds. */
export const textContent = z.strictObject({ type: field('类型', z.literal('TEXT')), text: text('文本内容', 500, 1) });
export const imageContent = z.strictObject({ type: field('类型', z.literal('IMAGE')), fileId: field('图片', id) });
export const articleContent = z.strictObject({
  type: field('类型', z.literal('ARTICLE')),
  title: text('文章标题', 64, 1),
  summary: z._default(text('摘要', 120), ''),
  coverFileId: field('封面', z.optional(z.nullable(id))),
  url: text('链接', 500, 1),
});
export const miniCardContent = z.strictObject({
  type: field('类型', z.literal('MINI_CARD')),
  appId: field('小程序', z.enum(appIds, '请选择小程序')),
  path: text('页面路径', 256, 1),
  title: text('卡片标题', 32, 1),
  coverFileId: field('封面', z.optional(z.nullable(id))),
});
export const questionnaireContent = z.strictObject({
  type: field('类型', z.literal('QUESTIONNAIRE')),
  questionnaireId: choose('问卷'),
  validDays: field('有效天数', z.int('有效天数须为整数').check(z.minimum(1, '有效天数为1至30天'), z.maximum(30, '有效天数为1至30天'))),
});
export const medicineCardContent = z.strictObject({
  type: field('类型', z.literal('MEDICINE_CARD')),
  medicineId: choose('药品'),
  note: z._default(text('说明', 60), ''),
});

export const materialContent = z.discriminatedUnion(
  'type',
  [textContent, imageContent, articleContent, miniCardContent, questionnaireContent, medicineCardContent],
  '素材类型不正确',
);
export type MaterialContent = z.output<typeof materialContent>;

export const contentSchemas = {
  TEXT: textContent,
  IMAGE: imageContent,
  ARTICLE: articleContent,
  MINI_CARD: miniCardContent,
  QUESTIONNAIRE: questionnaireContent,
  MEDICINE_CARD: medicineCardContent,
} as const;

/** All words that patients will read, for the search and the forbidden words. */
export function plainTextOf(content: MaterialContent): string {
  switch (content.type) {
    case 'TEXT':
      return content.text;
    case 'ARTICLE':
      return [content.title, content.summary].filter(Boolean).join('\n');
    case 'MINI_CARD':
      return content.title;
    case 'MEDICINE_CARD':
      return content.note;
    case 'IMAGE':
    case 'QUESTIONNAIRE':
      return '';
  }
}

/** The files that a content shows. */
export const filesOf = (content: MaterialContent): string[] =>
  content.type === 'IMAGE' ? [content.fileId] : 'coverFileId' in content && content.coverFileId ? [content.coverFileId] : [];
