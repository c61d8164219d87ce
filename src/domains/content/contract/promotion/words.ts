/** Words that advertising law keeps off what customers read of medicines: superlatives, promises of success, of safety and of a cure. */
const forbiddenWords = [
  '最',
  '第一',
  '国家级',
  '顶级',
  '极品',
  '唯一',
  '首选',
  '根治',
  '治愈',
  '痊愈',
  '特效',
  '神效',
  '速效',
  '包治',
  '药到病除',
  '无副作用',
  '零风险',
  '安全无毒',
  '百分百',
  '100%',
  '祖传',
  '秘方',
  '无效退款',
] as const;

/** Those that a text holds, in the order of the list. */
export const forbiddenIn = (text: string): string[] => {
  const dense = text.replaceAll(/\s/g, '').toLowerCase();
  return forbiddenWords.filter((word) => dense.includes(word));
};
