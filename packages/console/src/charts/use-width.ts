import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The width of an element, updated when the page changes; 0 before it is known. */
export function useWidth(): { ref: { current: HTMLDivElement | null }; width: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
