import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { BannerList } from '../banners/BannerList.tsx';

const FloorDesk = lazy(async () => ({ default: (await import('./FloorDesk.tsx')).FloorDesk }));
const DeliveryCalendar = lazy(async () => ({ default: (await import('../calendar/DeliveryCalendar.tsx')).DeliveryCalendar }));

const parts: readonly PagePart[] = [
  { key: 'banner', label: 'Banner', content: BannerList },
  { key: 'floor', label: '楼层', content: FloorDesk },
  { key: 'calendar', label: '投放日历', content: DeliveryCalendar },
];

/** /bannerConfig Banner与楼层配置. */
export default function BannerConfig() {
  return <PageParts parts={parts} />;
}
