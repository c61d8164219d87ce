import type { BatchState } from '../../contract/batchDictionaries.ts';

/** Steps of a list from its file to its taking effect. */
export const BATCH_STEPS = ['上传', '映射', '校验', '影响分析', '提交'] as const;

const STEP_OF: Partial<Record<BatchState, number>> = {
  UPLOADED: 2,
  PARSING: 2,
  HAS_ERROR: 2,
  PREVIEW: 3,
  PENDING_AUDIT: 4,
  APPLYING: 4,
  APPLY_FAILED: 4,
};
/** Where a list stands; behind the last step when it took effect. */
export const stepOf = (state: BatchState): number => STEP_OF[state] ?? BATCH_STEPS.length;
