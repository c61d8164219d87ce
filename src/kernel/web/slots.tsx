import { Suspense } from 'react';
import type { ComponentType, ReactNode } from 'react';

/** A place in a page that another domain fills at the composition root. */
export interface SlotPlace<Props extends object> {
  readonly name: string;
  /** Carries the type of the props alone. */
  readonly props?: Props;
}

/** One filling: `fill(bell, lazy(() => import('./Bell.tsx')))`. */
export interface Filling {
  readonly slot: string;
  readonly component: ComponentType<never>;
  readonly order: number;
}

export const slot = <Props extends object = Record<never, never>>(name: string): SlotPlace<Props> => ({ name });

export const fill = <Props extends object>(place: SlotPlace<Props>, component: ComponentType<Props>, order = 100): Filling => ({
  slot: place.name,
  component: component as ComponentType<never>,
  order,
});

const fillings = new Map<string, Filling[]>();

/** Called by the composition root with every module's fillings. */
export function registerFillings(all: readonly Filling[]): void {
  for (const filling of all) {
    const there = fillings.get(filling.slot) ?? [];
    fillings.set(
      filling.slot,
      [...there, filling].sort((a, b) => a.order - b.order),
    );
  }
}

export const isFilled = (place: SlotPlace<never> | SlotPlace<object>): boolean => fillings.has(place.name);

interface SlotProps<Props extends object> {
  of: SlotPlace<Props>;
  props: Props;
  fallback?: ReactNode;
}

/** Renders everything that fills the place, in order; nothing when it is not filled. */
export function Slot<Props extends object>({ of, props, fallback = null }: SlotProps<Props>) {
  return (
    <Suspense fallback={fallback}>
      {(fillings.get(of.name) ?? []).map((filling, index) => {
        const Component = filling.component as ComponentType<object>;
        return <Component key={index} {...props} />;
      })}
    </Suspense>
  );
}

/** A page that another domain than the address's owner makes: `'/patientRealNameSwitch': slotPage(realNameSwitchPlace)`. */
export const slotPage = (place: SlotPlace<Record<never, never>>) => (): Promise<{ default: ComponentType }> =>
  Promise.resolve({ default: () => <Slot of={place} props={{}} fallback={<div className="kq-loading" />} /> });
