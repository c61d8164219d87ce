import { Drawer } from 'antd';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { queryBannerDetail } from '../../contract/banners/calls.ts';
import { shownStates } from '../../contract/delivery/dictionaries.ts';
import { bannerMachine } from '../../contract/delivery/states.ts';
import { LinkText } from '../delivery/LinkText.tsx';

const WIDTH = 860;

/** One banner: its picture, where, when and to whom, and who did what. */
export function BannerDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, loading, refetch } = useData(queryBannerDetail, { id }, { quiet: true });
  const banner = data?.banner;
  return (
    <Drawer open size={WIDTH} title="Banner详情" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={banner?.bannerName}
        subtitle={banner?.bannerNo}
        state={banner && <Dict of={shownStates} code={banner.shownState} />}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
      >
        {data && banner && (
          <>
            {data.imageUrl && <img className="dl-large" src={data.imageUrl} alt={banner.altText || banner.bannerName} />}
            <Facts
              facts={factsIn(queryBannerDetail.output.shape.banner, banner, [
                'positionCode',
                'priority',
                'startAt',
                'endAt',
                { key: 'slot', value: banner.slot || '全天' },
                { label: '跳转', value: <LinkText row={banner} whole /> },
                'altText',
                { key: 'audienceText', wide: true },
                'createdByName',
                'auditedByName',
                { key: 'opinion', wide: true },
                { key: 'offlineReason', wide: true },
              ])}
            />
            <h3 className="dl-part">操作轨迹</h3>
            <AuditTimeline rows={data.timeline} machine={bannerMachine} />
          </>
        )}
      </DetailLayout>
    </Drawer>
  );
}
