import * as z from 'zod/mini';
import { text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';

/** Words that the advertising law forbids in what a doctor says of himself. */
const FORBIDDEN = [
  '包治',
  '根治',
  '根除',
  '治愈率',
  '有效率',
  '药到病除',
  '无效退款',
  '保证治愈',
  '保证疗效',
  '最佳',
  '最好',
  '最先进',
  '最高级',
  '最权威',
  '国家级',
  '世界级',
  '顶级',
  '第一人',
  '唯一',
  '绝对安全',
  '无副作用',
  '零风险',
  '祖传秘方',
  '特效',
  '神医',
  '神效',
  '永不复发',
] as const;

/** The forbidden words in a text, each once, in the order of the list. */
export const forbiddenWords = (text: string): string[] => {
  const plain = text.replaceAll(/[\s\p{P}]/gu, '');
  return FORBIDDEN.filter((word) => plain.includes(word));
};

/** What a doctor says of himself to the public, refused with the words that the law forbids. */
export const publicText = (label: string, max: number) =>
  field(
    label,
    z._default(
      text(label, max).check(
        z.check((payload) => {
          const words = forbiddenWords(payload.value);
          if (words.length > 0)
            payload.issues.push({ code: 'custom', message: `${label}包含违规用语：${words.join('、')}`, input: payload.value });
        }),
      ),
      '',
    ),
  );
