import { ReloadOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';

interface RefreshButtonProps {
  busy: boolean;
  onRefresh(): void;
  /** Key that does the same. */
  keys?: string;
}

/** Reads again what is shown, at the end of a toolbar. */
export const RefreshButton = ({ busy, onRefresh, keys }: RefreshButtonProps) => (
  <Tooltip title={keys ? `刷新（${keys}）` : '刷新'}>
    <Button type="text" icon={<ReloadOutlined spin={busy} />} onClick={onRefresh} aria-label="刷新" />
  </Tooltip>
);
