import { plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Position } from '../delivery/positions.ts';
import { forbiddenIn } from '../promotion/words.ts';
import { auditPoints, type AdClass, type AuditPoint } from './dictionaries.ts';
import type { advertErrors } from './errors.ts';

export const SUPPLEMENT_SENTENCE = '保健食品不是药物，不能代替药物治疗疾病';

const approved: readonly AdClass[] = ['OTC', 'RX', 'DEVICE', 'SUPPLEMENT', 'SERVICE'];
/** Classes whose advertisements an authority examines before they are shown. */
export const needsApproval = (adClass: AdClass): boolean => approved.includes(adClass);

/** The first instant at which an approval is over. */
export const approvalEnd = (approvalUntil: string): Instant => startOfDay(plusDays(approvalUntil, 1));

export interface Advertised {
  adClass: AdClass;
  endAt: Instant;
  approvalNo: string;
  approvalUntil: string | null;
  approvalFileId: string | null;
  disclaimer: string;
  /** All that viewers read: name, alternative text, disclaimer. */
  texts: readonly string[];
}

type Fault = { [Key in keyof typeof advertErrors]: { refusal: Key; path: string; words?: string } }[keyof typeof advertErrors];

/** What of the law of advertising an advertisement breaks, the first thing; null: nothing. */
export function lawFault(ad: Advertised, { clientType }: Pick<Position, 'clientType'>): Fault | null {
  if (ad.adClass === 'RX' && clientType !== 'DOCTOR') return { refusal: 'RX_TO_PATIENTS', path: 'positionCode' };
  if (needsApproval(ad.adClass)) {
    if (ad.approvalNo === '' || ad.approvalUntil === null || ad.approvalFileId === null)
      return { refusal: 'NO_APPROVAL', path: 'approvalNo' };
    if (Date.parse(ad.endAt) > Date.parse(approvalEnd(ad.approvalUntil))) return { refusal: 'BEYOND_APPROVAL', path: 'endAt' };
  }
  const words = [...new Set(ad.texts.flatMap(forbiddenIn))];
  if (words.length > 0) return { refusal: 'FORBIDDEN_WORDS', path: 'adName', words: words.join('、') };
  if (ad.adClass === 'SUPPLEMENT' && !ad.disclaimer.includes(SUPPLEMENT_SENTENCE)) return { refusal: 'NO_DISCLAIMER', path: 'disclaimer' };
  return null;
}

/** What the law asks of a class, for whoever writes an advertisement. */
export const rulesOfClass = (adClass: AdClass): readonly string[] => [
  ...(adClass === 'RX' ? ['仅可投放医生端'] : []),
  ...(needsApproval(adClass) ? ['须填写广告审查批准文号、有效期并上传批件', '投放不得超过批准文号有效期'] : ['不要求广告审查批准文号']),
  ...(adClass === 'SUPPLEMENT' ? [`须标注“${SUPPLEMENT_SENTENCE}”`] : []),
  '不得使用绝对化用语，不得保证功效',
];

export type AuditChecks = Partial<Record<AuditPoint, 'YES' | 'NO' | 'NA'>>;
export const unanswered = (checks: AuditChecks): boolean => auditPoints.codes.some((point) => checks[point] === undefined);
/** What speaks against a pass; that a point does not concern an advertisement is an answer for its approval alone. */
export const failedPoints = (checks: AuditChecks, adClass: AdClass): AuditPoint[] =>
  auditPoints.codes.filter((point) =>
    point === 'APPROVAL_SAME' && !needsApproval(adClass) ? checks[point] === 'NO' : checks[point] !== 'YES',
  );
