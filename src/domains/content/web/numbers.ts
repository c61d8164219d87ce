import { numberPlace, type NumberPlace } from '#kernel/web/router/numberPlace.ts';
import { queryAdvertiseList } from '../contract/adverts/calls.ts';
import { queryBannerList } from '../contract/banners/calls.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const contentNumbers: readonly NumberPlace[] = [
  numberPlace('BN', 'Banner', queryBannerList, 'bannerNo', { path: '/bannerConfig' }),
  numberPlace('AD', '广告', queryAdvertiseList, 'adNo', { path: '/advertiseManage' }),
];
