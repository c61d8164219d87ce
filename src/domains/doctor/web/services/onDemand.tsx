import { Skeleton } from 'antd';
import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react';
import { ChannelPicker, HospitalPicker, type PickerProps } from '#kernel/web/kit/pickers.tsx';

// Fields that bring other domains' calls along are loaded where they are shown.
const Dept = lazy(() => import('./DeptSelect.tsx'));
const Agent = lazy(() => import('./AgentSelect.tsx'));
const Line = lazy(() => import('./LineSelect.tsx'));
const Service = lazy(async () => ({ default: (await import('./Selects.tsx')).RefSelect }));

const Field = ({ children }: { children: ReactNode }) => <Suspense fallback={<Skeleton.Input active block />}>{children}</Suspense>;

const Doctors = lazy(async () => ({ default: (await import('./Selects.tsx')).RefsSelect }));

export const ServiceField = (props: ComponentProps<typeof Service>) => (
  <Field>
    <Service {...props} />
  </Field>
);
export const DoctorsField = (props: ComponentProps<typeof Doctors>) => (
  <Field>
    <Doctors {...props} />
  </Field>
);
/** The product line that sponsors an item. */
export const LineField = (props: ComponentProps<typeof Line>) => (
  <Field>
    <Line {...props} />
  </Field>
);

/** As search fields of a list. */
export const itemFilter = {
  kind: 'picker' as const,
  name: 'itemId' as const,
  picker: (props: PickerProps<string>) => <Service {...props} type="ITEM" />,
};
export const hospitalFilter = { kind: 'picker' as const, name: 'hospitalId' as const, picker: HospitalPicker };
export const agentFilter = { kind: 'picker' as const, name: 'agentId' as const, picker: Agent };
export const deptFilter = { kind: 'picker' as const, name: 'standardDeptCode' as const, picker: Dept };
export const channelFilter = { kind: 'picker' as const, name: 'channelId' as const, picker: ChannelPicker };
