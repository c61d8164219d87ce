import { Tabs } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { PartLine } from '#kernel/web/kit/PartLine.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { applyQueues, type ApplyQueue } from '../../contract/applyDictionaries.ts';
import { querySignContractCounts } from '../../contract/calls/applies.ts';
import { Applies } from './Applies.tsx';

/** /signContract 入组审核: a tab for each queue, with how many wait there. */
export default function SignContract() {
  const { path, search } = usePage();
  const { data: counts } = useData(querySignContractCounts, {}, { quiet: true, every: 60_000 });
  const active: ApplyQueue = applyQueues.codes.find((code) => code === search['tab']) ?? 'MINE';
  return (
    <div className="kq-parts">
      <PartLine
        tabs={
          <Tabs
            size="small"
            activeKey={active}
            items={applyQueues.options.map(({ value, label }) => ({ key: value, label: counts ? `${label} ${counts[value]}` : label }))}
            onChange={(key) => goTo(path, { tab: key === 'MINE' ? '' : key }, { replace: true })}
          />
        }
      >
        <div className="kq-part" key={active}>
          <Applies queue={active} />
        </div>
      </PartLine>
    </div>
  );
}
