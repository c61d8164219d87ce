import { theme } from 'antd';
import type { ThemeConfig } from 'antd';
import { dark, light, measures } from './tokens.ts';

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** A colour laid thinly over the ground, as tags and alerts have it; what antd derives from dark tones is grey. */
const tint = (tone: string, ground: string, part: number): string => {
  const below = channels(ground);
  const mixed = channels(tone).map((value, index) => Math.round(value * part + below[index]! * (1 - part)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
};

/** The product's look for antd's components; `still` for whoever asked the system for less motion. */
export function antTheme(isDark: boolean, still: boolean): ThemeConfig {
  const palette = isDark ? dark : light;
  return {
    algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: palette.primary,
      colorInfo: palette.info,
      colorLink: palette.primary,
      // The blue of marks is the product's.
      blue: palette.info,
      // What is pointed at stays as easy to read.
      colorLinkHover: palette.primary,
      colorSuccess: palette.success,
      colorWarning: palette.warning,
      colorError: palette.error,
      ...Object.fromEntries(
        (['success', 'warning', 'error', 'info'] as const).flatMap((name) => {
          const token = `color${name[0]!.toUpperCase()}${name.slice(1)}`;
          return [
            [`${token}Bg`, tint(palette[name], palette.surface, 0.1)],
            [`${token}BgHover`, tint(palette[name], palette.surface, 0.18)],
            [`${token}Border`, tint(palette[name], palette.surface, 0.4)],
          ];
        }),
      ),
      colorText: palette.ink,
      colorTextSecondary: palette.muted,
      colorTextTertiary: palette.muted,
      colorTextDescription: palette.muted,
      colorTextPlaceholder: palette.faint,
      colorBorder: palette.line,
      colorBorderSecondary: palette.lineSoft,
      colorBgLayout: palette.ground,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.raised,
      colorBgMask: palette.mask,
      colorFillAlter: palette.sunken,
      fontFamily: measures.font,
      fontSize: measures.fontSize,
      controlHeight: measures.control,
      controlHeightSM: 24,
      borderRadius: measures.radius,
      borderRadiusLG: measures.radius + 2,
      borderRadiusSM: measures.radius - 1,
      lineHeight: 1.5,
      boxShadowTertiary: 'none',
      motion: !still,
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.18s',
    },
    components: {
      Table: {
        headerBg: palette.sunken,
        headerColor: palette.muted,
        headerSplitColor: 'transparent',
        rowHoverBg: palette.hover,
        rowSelectedBg: palette.selected,
        cellPaddingBlockSM: 7,
        cellPaddingInlineSM: 10,
        borderColor: palette.lineSoft,
      },
      Form: { itemMarginBottom: 22, verticalLabelPadding: '0 0 4px', labelColor: palette.muted },
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        fontWeight: 500,
        primaryColor: palette.onPrimary,
        defaultHoverColor: palette.primary,
      },
      Modal: { titleFontSize: 15 },
      Descriptions: { labelBg: palette.sunken, labelColor: palette.muted, titleMarginBottom: 8, itemPaddingBottom: 6 },
      Tabs: { horizontalItemPaddingSM: '6px 0', titleFontSize: 13, itemHoverColor: palette.primary },
    },
  };
}
