import { Button } from 'antd';
import { Can } from '../kit/Can.tsx';
import { Slot } from '../slots.tsx';
import { type ExportButtonProps, exportPlace } from './places.ts';

/**
 * Export of a list with its filters: this page, all of it, chosen columns. Stands in the toolbar: `toolbar={(view) => <ExportButton
 * call={…} view={view} />}`.
 */
export function ExportButton(props: ExportButtonProps) {
  const button = <Slot of={exportPlace} props={props} fallback={<Button disabled>{props.label ?? '导出'}</Button>} />;
  return props.permission === undefined ? button : <Can permission={props.permission}>{button}</Can>;
}
