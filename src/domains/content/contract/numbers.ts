import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryAdvertiseList } from './adverts/calls.ts';
import { queryBannerList } from './banners/calls.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const contentNumbers: readonly NumberPlace[] = [
  numberPlace('BN', 'Banner', queryBannerList, 'bannerNo', { path: '/bannerConfig' }),
  numberPlace('AD', '广告', queryAdvertiseList, 'adNo', { path: '/advertiseManage' }),
];
