import type { Words } from "./words.ts";

export const de: Words = {
  language: "de",
  locale: "de",
  gone: {
    title: "Diese Karte ist nicht mehr gültig",
    text: "Der Herausgeber hat sie zurückgezogen. Falls das ein Irrtum ist, fragen Sie bitte dort nach, wo Sie sie bekommen haben.",
  },
  missing: {
    title: "Hier ist keine Karte",
    text: "Bitte prüfen Sie den Link. Vielleicht wurde er beim Kopieren oder Weiterleiten abgeschnitten.",
  },
  paid: {
    title: "Vielen Dank",
    text: "Die Zahlung ist zu uns unterwegs. Sobald sie da ist, steht bereit, was Sie gekauft haben. Sie können diese Seite schließen.",
  },
  status: {
    preparing: "Ihre Karte wird vorbereitet. Diese Seite lädt sich neu, bis sie bereit ist.",
    updating: "Neue Angaben sind unterwegs. Eine Karte, die schon im Wallet ist, ändert sich von selbst.",
    failed: "Diese Karte konnte in kein Wallet gelegt werden. Bitte wenden Sie sich an den Herausgeber.",
    revoking: "Diese Karte wird gerade zurückgezogen und kann nicht mehr hinzugefügt werden.",
  },
  idle: {
    preparing: "wird vorbereitet",
    failed: "zurzeit nicht verfügbar",
    withdrawn: "nicht mehr verfügbar",
    absent: "für diese Karte nicht angeboten",
  },
  add: (wallet) => `Zu ${wallet} hinzufügen`,
  testOnly: "Nur zum Testen: allein die Testkonten des Herausgebers können sie sichern",
  actions: "Zu einem Wallet hinzufügen",
  front: "Vorderseite der Karte",
  pageCode: "QR-Code mit der Adresse dieser Seite",
  towards: "nach",
  codes: { qr: "QR-Code", pdf417: "PDF417-Barcode", aztec: "Aztec-Code", code128: "Code-128-Barcode" },
  handOver: {
    title: "Weiter auf dem Handy",
    text: "Richten Sie die Kamera auf diesen Code und fügen Sie die Karte dort Ihrem Wallet hinzu.",
  },
  message: "Nachricht des Herausgebers",
  more: "Mehr zu dieser Karte",
  issuedBy: "Herausgegeben von",
  lastChanged: "Zuletzt geändert:",
  expired: "Diese Karte ist abgelaufen. Sie galt bis",
};
