import { lazy } from 'react';
import { PageParts, type PagePart } from '../../../../kernel/web/kit/PageParts.tsx';

const FloorDesk = lazy(async () => ({ default: (await import('./FloorDesk.tsx')).FloorDesk }));

const parts: readonly PagePart[] = [{ key: 'floor', label: '楼层', content: FloorDesk }];

/** /bannerConfig Banner与楼层配置. */
export default function BannerConfig() {
  return <PageParts parts={parts} />;
}
