import type { ComponentProps } from 'react';
import { NumberInput } from './NumberInput.tsx';

type ScaledInputProps = Omit<ComponentProps<typeof NumberInput>, 'precision' | 'step' | 'min' | 'max'> & {
  /** In how many parts of one it is kept: 10, 100 or 1000. */
  parts: number;
};

/** A decimal that is kept as a whole number of its parts; value is in parts. */
export function ScaledInput({ parts, value, onChange, ...rest }: ScaledInputProps) {
  return (
    <NumberInput
      {...rest}
      value={value === null || value === undefined ? null : value / parts}
      precision={Math.round(Math.log10(parts))}
      step={1 / parts}
      onChange={(typed) => onChange?.(typed === null ? null : Math.round(typed * parts))}
    />
  );
}
