import { Skeleton } from 'antd';
import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react';
import type { FilterValue } from '../../../../kernel/web/list/filters.ts';

// Fields that bring other domains' calls along are loaded where they are shown.
const Hospital = lazy(() => import('./HospitalSelect.tsx'));
const Dept = lazy(() => import('./DeptSelect.tsx'));
const Agent = lazy(() => import('./AgentSelect.tsx'));
const Line = lazy(() => import('./LineSelect.tsx'));
const Service = lazy(async () => ({ default: (await import('./Selects.tsx')).RefSelect }));
const Yuan = lazy(async () => ({ default: (await import('./YuanInput.tsx')).YuanInput }));

const Field = ({ children }: { children: ReactNode }) => <Suspense fallback={<Skeleton.Input active block />}>{children}</Suspense>;

const Doctors = lazy(async () => ({ default: (await import('./Selects.tsx')).RefsSelect }));

export const ServiceField = (props: ComponentProps<typeof Service>) => <Field><Service {...props} /></Field>;
export const DoctorsField = (props: ComponentProps<typeof Doctors>) => <Field><Doctors {...props} /></Field>;
export const HospitalField = (props: ComponentProps<typeof Hospital>) => <Field><Hospital {...props} /></Field>;
/** The product line that sponsors an item. */
export const LineField = (props: ComponentProps<typeof Line>) => <Field><Line {...props} /></Field>;

const one = (value: FilterValue | undefined) => (typeof value === 'string' ? value : value?.[0]);
interface FilterPart {
  value: FilterValue | undefined;
  onChange(value: FilterValue | undefined): void;
}

/** As search fields of a list. */
export const itemFilter = { kind: 'custom' as const, name: 'itemId' as const, label: '服务项目', render: ({ value, onChange }: FilterPart) => <Field><Service type="ITEM" value={one(value)} placeholder="全部" onChange={(next) => onChange(next ?? undefined)} /></Field> };
export const hospitalFilter = { kind: 'custom' as const, name: 'hospitalId' as const, label: '医院', render: ({ value, onChange }: FilterPart) => <Field><Hospital value={one(value)} placeholder="全部" onChange={(next) => onChange(next ?? undefined)} /></Field> };
export const agentFilter = { kind: 'custom' as const, name: 'agentId' as const, label: '代表', render: ({ value, onChange }: FilterPart) => <Field><Agent value={one(value)} placeholder="全部" onChange={(next) => onChange(next ?? undefined)} /></Field> };
export const deptFilter = { kind: 'custom' as const, name: 'standardDeptCode' as const, label: '科室', render: ({ value, onChange }: FilterPart) => <Field><Dept value={one(value)} placeholder="全部" onChange={(next) => onChange(next ?? undefined)} /></Field> };
/** A price; the address holds fen. */
export const renderPrice = ({ value, onChange }: FilterPart) => <Field><Yuan value={value === undefined ? null : Number(one(value))} placeholder="不限" onChange={(fen) => onChange(fen === null ? undefined : String(fen))} /></Field>;
