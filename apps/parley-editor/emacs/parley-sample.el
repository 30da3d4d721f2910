;;; parley-sample.el --- A model's answer, and folders  -*- lexical-binding: t; -*-

;;; Code:

(require 'parley-questions)

(defun parley--insert-prompt (question said)
  "Insert the prompt of QUESTION and what the model SAID."
  (seq-doseq (message (parley--get question :messages))
    (insert (propertize (concat (plist-get message :who) ":") 'face 'parley-hint) "\n")
    (parley--insert-quote (plist-get message :text)))
  (when said
    (insert (propertize (concat (car parley-model) " says:") 'face 'parley-host) "\n")
    (parley--insert-quote said)))

(defun parley--put-sample (question)
  "Put QUESTION, an ask/sample, to the person.
They agree before the model sees the prompt and before the server sees the
answer."
  (let ((model (car parley-model))
        said)
    (while (not (parley-question-over question))
      (parley--show question " for a model's answer" (lambda () (parley--insert-prompt question said)))
      (pcase (parley--choose
              (if said (format "Send this to %s? " (parley--get question :server)) (format "Give this to %s? " model))
              (append (when said '(("Send" . send)))
                      (list (cons (if said (format "Ask %s again" model) (format "Give this to %s" model)) 'run))
                      (parley--ways question nil)))
        ('send (parley--answer question "accept" :model model :text said))
        ('run (condition-case problem
                  (setq said (funcall (cdr parley-model) (parley--get question :request)))
                (error (message "%s: %s" model (error-message-string problem)))))
        (action (parley--answer question action))))))

(defun parley--put-roots (question)
  "Put QUESTION, an ask/roots, to the person."
  (let ((folders (mapcar #'expand-file-name parley-roots)))
    (parley--show question " for the folders it may work on"
                  (lambda () (dolist (folder folders) (insert "  " folder "\n"))))
    (pcase (parley--choose
            (format "Tell %s these folders? " (parley--get question :server))
            (append '(("Share them" . share) ("Share none" . none)) (parley--ways question nil)))
      ('share (parley--answer question "accept" :folders (vconcat (mapcar (lambda (folder) (list :path (directory-file-name folder))) folders))))
      ('none (parley--answer question "accept" :folders []))
      (action (parley--answer question action)))))

(provide 'parley-sample)
;;; parley-sample.el ends here
