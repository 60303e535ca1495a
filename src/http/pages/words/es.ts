import type { Words } from "./words.ts";

export const es: Words = {
  language: "es",
  locale: "es",
  gone: {
    title: "Este pase ya no es válido",
    text: "Su emisor lo ha retirado. Si cree que se trata de un error, pregunte a quien se lo dio.",
  },
  missing: {
    title: "Aquí no hay ningún pase",
    text: "Compruebe el enlace. Puede que se haya cortado al copiarlo o reenviarlo.",
  },
  paid: {
    title: "Gracias",
    text: "El pago está en camino. En cuanto llegue, tendrá lo que ha comprado. Puede cerrar esta página.",
  },
  status: {
    preparing: "Su pase se está preparando. Esta página se actualiza sola hasta que esté listo.",
    updating: "Hay datos nuevos en camino. Un pase que ya está en su cartera cambia por sí solo.",
    failed: "Este pase no se ha podido poner en ninguna cartera. Pida ayuda a su emisor.",
    revoking: "Este pase se está retirando y ya no se puede añadir.",
  },
  idle: {
    preparing: "en preparación",
    failed: "no disponible por el momento",
    withdrawn: "ya no está disponible",
    absent: "no se ofrece para este pase",
  },
  add: (wallet) => `Añadir a ${wallet}`,
  testOnly: "Solo de prueba: únicamente las cuentas de prueba del emisor pueden guardarlo",
  actions: "Añadir a una cartera",
  front: "Anverso del pase",
  pageCode: "Código QR con la dirección de esta página",
  towards: "a",
  codes: {
    qr: "Código QR",
    pdf417: "Código de barras PDF417",
    aztec: "Código Aztec",
    code128: "Código de barras Code 128",
  },
  handOver: {
    title: "Continúe en su teléfono",
    text: "Apunte con la cámara a este código y añada el pase a su cartera.",
  },
  message: "Mensaje del emisor",
  more: "Más sobre este pase",
  issuedBy: "Emitido por",
  lastChanged: "Última modificación:",
  expired: "Este pase ha caducado. Era válido hasta:",
};
