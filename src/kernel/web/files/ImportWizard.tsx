import { Button } from 'antd';
import { useState } from 'react';
import { Can } from '../kit/Can.tsx';
import { Slot } from '../slots.tsx';
import { type ImportWizardProps, importPlace } from './places.ts';

/** Drawer that leads through template, upload, check, preview and commit; its code is fetched when it opens first. */
export function ImportWizard(props: ImportWizardProps) {
  return props.open ? <Slot of={importPlace} props={props} /> : null;
}

interface ImportButtonProps extends Pick<ImportWizardProps, 'importerCode' | 'params' | 'onChanged'> {
  permission: string | { code: string };
  label?: string;
}

/** Toolbar button with its wizard. */
export function ImportButton({ permission, label = '导入', ...wizard }: ImportButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <Can permission={permission}>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      <ImportWizard {...wizard} open={open} onClose={() => setOpen(false)} />
    </Can>
  );
}
