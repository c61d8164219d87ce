import type { AnswerOf, OutputOf } from '#kernel/contract/call.ts';
import type { queryClaimRules } from '../../contract/claimRules/read.ts';
import type { queryTestCaseList } from '../../contract/tests/calls.ts';

/** All that decides what a version pays, as the page read it. */
export type ClaimRulesSeen = AnswerOf<typeof queryClaimRules>;
export type TestCaseSeen = OutputOf<typeof queryTestCaseList>[number];
