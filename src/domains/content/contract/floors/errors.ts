import { declareErrors } from '#kernel/contract/errors.ts';

export const floorErrors = declareErrors({
  TOO_MANY_FLOORS: ['SCM04014', '楼层数量超过上限（20）'],
  ICON_COUNT: ['SCM04015', '金刚区须为4至10个图标'],
});
