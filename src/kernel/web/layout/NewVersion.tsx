import { Button } from 'antd';
import { useNewVersion } from '../http/version.ts';
import { tabs } from '../tabs/store.ts';
import { mayLeaveAll } from '../tabs/unsaved.ts';

/** Announces that the server serves a newer build; the operator chooses when to reload. */
export function NewVersion() {
  const available = useNewVersion((state) => state.available);
  if (!available) return null;
  const reload = async () => {
    if (!(await mayLeaveAll())) return;
    // Nobody asks a second time; the pages themselves open again.
    for (const { key } of tabs.dirty()) tabs.patch(key, { dirty: false });
    location.reload();
  };
  return (
    <div className="kq-new-version" role="status">
      系统已更新，请保存当前工作后刷新页面。
      <Button size="small" type="primary" onClick={() => void reload()}>
        刷新
      </Button>
      <Button size="small" type="text" onClick={() => useNewVersion.setState({ available: false })}>
        稍后
      </Button>
    </div>
  );
}
