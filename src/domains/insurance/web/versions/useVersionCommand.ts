import { useCommand } from '#kernel/web/http/queries.ts';
import { queryClaimRules } from '../../contract/claimRules/read.ts';
import { auditProductVersion, queryProductDetail, queryProductVersionDetail } from '../../contract/products/calls.ts';
import { queryProductCounts, queryProductList } from '../../contract/products/listCalls.ts';
import { queryTestCaseList } from '../../contract/tests/calls.ts';

export const versionReads = [
  queryProductList,
  queryProductCounts,
  queryProductDetail,
  queryProductVersionDetail,
  queryClaimRules,
  queryTestCaseList,
];

/** Steps in the life of a version. */
export const useVersionCommand = (onDone: () => void) =>
  useCommand(auditProductVersion, { success: '操作成功!', refreshes: versionReads, onSuccess: onDone });
