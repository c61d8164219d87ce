import { theme } from 'antd';
import type { ThemeConfig } from 'antd';
import { dark, light, measures } from './tokens.ts';

/** The product's look for antd's components; `still` for whoever asked the system for less motion. */
export function antTheme(isDark: boolean, still: boolean): ThemeConfig {
  const palette = isDark ? dark : light;
  return {
    algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: palette.primary,
      colorInfo: palette.info,
      colorLink: palette.primary,
      colorSuccess: palette.success,
      colorWarning: palette.warning,
      colorError: palette.error,
      colorText: palette.ink,
      colorTextSecondary: palette.muted,
      colorTextDescription: palette.muted,
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
      Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none', fontWeight: 500 },
      Modal: { titleFontSize: 15 },
      Descriptions: { labelBg: palette.sunken, titleMarginBottom: 8, itemPaddingBottom: 6 },
      Tabs: { horizontalItemPaddingSM: '6px 0', titleFontSize: 13 },
    },
  };
}
