import type { AnswerOf } from '#kernel/contract/call.ts';
import type { Division } from '#kernel/web/session/gateway.ts';
import type { queryUserInfoList } from '../../contract/calls/users.ts';
import { regionName } from '../pickers/regions.ts';

/** Data scope of an assignment; null = not restricted in that dimension. */
export type Scope = AnswerOf<typeof queryUserInfoList>['rows'][number]['roles'][number]['scope'];

export const EVERYTHING: Scope = { own: false, region: null, insurer: null, channel: null };

export const isRestricted = (scope: Scope): boolean =>
  scope.own || scope.region !== null || scope.insurer !== null || scope.channel !== null;

/** `可见：上海市、江苏省 且 2家保司 的数据`. */
export function scopeSentence(scope: Scope, divisions: readonly Division[]): string {
  const parts = [
    ...(scope.region ? [scope.region.map((adcode) => regionName(divisions, adcode)).join('、')] : []),
    ...(scope.insurer ? [`${scope.insurer.length}家保司`] : []),
    ...(scope.channel ? [`${scope.channel.length}个渠道`] : []),
    ...(scope.own ? ['仅本人'] : []),
  ];
  return parts.length ? `可见：${parts.join(' 且 ')} 的数据` : '可见：全部数据';
}
