import { Box, type BoxProps, Text, type TextProps } from "ink";
import { createContext, createElement, type ReactNode, useContext } from "react";
import type { Tone } from "../page.ts";
import { harmless } from "../shown.ts";

/** Whether there is colour. Everything that a colour says, a word or a sign says, too. */
export const Colored = createContext(true);

/** Of the 16 colours that any terminal has. */
const colors: Record<Tone | "accent", string | undefined> = {
  plain: undefined,
  good: "green",
  warning: "yellow",
  bad: "red",
  faint: undefined,
  accent: "cyan",
};

type Tinted = Omit<TextProps, "color" | "children"> & { tone?: Tone | "accent" | undefined; text: string };

/** One line of text, cut where it is too long, in a tone. */
export function Line({ tone = "plain", text, ...style }: Tinted): ReactNode {
  const color = useContext(Colored) ? colors[tone] : undefined;
  return createElement(
    Text,
    { wrap: "truncate-end", dimColor: tone === "faint", ...style, ...(color !== undefined && { color }) },
    harmless(text),
  );
}

/** Short for what views are made of. */
export function line(text: string, style: Omit<Tinted, "text"> & { key?: string } = {}): ReactNode {
  return createElement(Line, { ...style, text });
}

export function box(style: BoxProps & { key?: string }, ...children: ReactNode[]): ReactNode {
  return createElement(Box, style, ...children);
}
