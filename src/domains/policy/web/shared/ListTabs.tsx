import { Tabs } from 'antd';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';

export interface ListTab {
  key: string;
  label: string;
  state?: readonly string[];
  endsWithinDays?: string;
  overdue?: string;
}
const address = { state: param.several(), endsWithinDays: param.optional(), overdue: param.optional(), pageNo: param.optional() };

/** Views of a list that people ask for every day: each is a choice of its filters. */
export function ListTabs({ tabs }: { tabs: readonly ListTab[] }) {
  const [{ state, endsWithinDays, overdue }, setAddress] = useAddress(address);
  const active = tabs.find(
    (tab) =>
      (tab.state ?? []).length === state.length &&
      (tab.state ?? []).every((code) => state.includes(code)) &&
      tab.endsWithinDays === endsWithinDays &&
      tab.overdue === overdue,
  );
  return (
    <Tabs
      size="small"
      activeKey={active?.key ?? ''}
      items={tabs.map(({ key, label }) => ({ key, label }))}
      onChange={(key) => {
        const chosen = tabs.find((tab) => tab.key === key);
        setAddress({
          state: chosen?.state ?? [],
          endsWithinDays: chosen?.endsWithinDays,
          overdue: chosen?.overdue,
          pageNo: undefined,
        });
      }}
    />
  );
}
